^XA
  ^FO 100, 200 
^A0N , 30 ,	20^FDText
over
lines ^FS
^XZ
