module platen

go 1.19
