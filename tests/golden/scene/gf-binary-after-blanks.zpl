^XA^FO1,1^GFB,4,4,2, 
^FS^FDafter^FS^XZ