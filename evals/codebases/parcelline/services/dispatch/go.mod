module parcelline/dispatch

go 1.22
