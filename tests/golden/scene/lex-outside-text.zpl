hello
! U1 setvar "x" "y"
^FO10,10^FDoutside^FS^XA^FDin^FS^XZ
more