^XA
^CI28
^PW406^LL203

^FX Asset tag, 2 x 1 inch
^FO8,8^GB390,187,3,B,1^FS
^FO8,8^GB390,40,20,B,1^FS
^FO8,17^FR^A0N,26,26^FB390,1,0,C^FDPROPERTY OF ORCHARD FOODS\&^FS
^FX The symbol of ^BQ stands lower by the bar height of ^BY, 10 dots unless set
^FO26,54^BQN,2,4^FDMA,https://assets.example/A004417^FS
^FO190,66^A0N,20,20^FDASSET^FS
^FO190,86^A0N,54,54^FDA004417^FS
^FO190,140^A0N,22,22^FDLabel printer^FS
^FO190,164^A0N,22,22^FDIn service since 2026^FS
^XZ
