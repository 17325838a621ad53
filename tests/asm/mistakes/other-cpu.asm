        phx
