^XA
^FO10,10^A0N,20,20^FWB^FDturned by the later command^FS
^FO10,60^FWN^A0R,20,20^FDnot turned by the earlier one^FS
^FO10,90^A0N,20,20^FWN^FDas it was^FS
^XZ
