package gate

import (
	"net/http"
	"strconv"
)

const retryAfterSeconds = 20

// Routes puts the limiter in front of every route but the health check.
func Routes(limiter *Limiter, login, orders http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	mux.Handle("POST /v1/login", limited(limiter, login))
	mux.Handle("POST /v1/orders", limited(limiter, orders))
	return mux
}

func limited(limiter *Limiter, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !limiter.Allow(r.RemoteAddr) {
			w.Header().Set("Retry-After", strconv.Itoa(retryAfterSeconds))
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}
