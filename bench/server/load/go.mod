module portcullis.example/bench/load

go 1.25
