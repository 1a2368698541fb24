library(stats)
source("helpers.R")

LIMIT <- 10

#' Fits a model.
fit <- function(data, degree = 2) {
  cleaned <- clean(data)
  stats::lm(y ~ x, cleaned)
}

plot_it = function(m) plot(m)
