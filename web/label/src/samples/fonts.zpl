^XA
^CI28
^PW812^LL1218
^FO40,36^A0N,60,60^FDFonts of a label printer^FS
^FO40,106^GB732,0,3^FS
^CFA,27
^FO40,126^FDA  Quick brown fox 0123456789^FS
^FO40,170^ABN,22,14^FDB  CAPITALS ONLY 0123456789^FS
^FO40,214^ADN,36,20^FDD  Quick brown fox 012^FS
^FO40,270^AEN,28,15^FDE  OCR-B 0123456789^FS
^FO40,316^AFN,26,13^FDF  The quick brown fox 0123456789^FS
^FO40,360^AHN,21,13^FDH  OCR-A 0123456789^FS
^FO40,404^AGN,60,40^FDG  Quick 012^FS
^FO40,486^GB732,0,3^FS
^FO40,510^APN^FDP  The quick brown fox^FS
^FO40,544^AQN^FDQ  The quick brown fox^FS
^FO40,586^ARN^FDR  The quick brown fox^FS
^FO40,634^ASN^FDS  The quick brown fox^FS
^FO40,688^ATN^FDT  The quick brown fox^FS
^FO40,750^GB732,0,3^FS
^FO40,774^A0N,30,30^FD0  Scalable: 30 dots high^FS
^FO40,816^A0N,30,50^FD0  wide^FS
^FO300,816^A0N,30,18^FD0  narrow, same height^FS
^FO40,872^A0N,84,84^FDÄÖÜ éèê ß € £^FS
^FO40,984^A0N,34,34^FB420,4,6,J^FDA text block wraps words at its width, here justified, with a set gap between the lines.^FS
^FO520,980^A0R,34,34^FDRotated^FS
^FO570,980^A0I,34,34^FDInverted^FS
^FO740,980^A0B,34,34^FDBottom up^FS
^FO40,1150^GB732,50,25^FS
^FO40,1160^FR^A0N,34,34^FB732,1,0,C^FDReversed on black\&^FS
^XZ
