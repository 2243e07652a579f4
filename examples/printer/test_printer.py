"""Prints to a virtual printer of Platen over the raw port and waits for the label: pytest examples/printer/test_printer.py"""
import json
import os
import socket
import urllib.request

URL = os.environ.get("PLATEN_URL", "http://127.0.0.1:8080") + "/api/printers/" + os.environ.get("PLATEN_PRINTER_NAME", "printer")
PORT = int(os.environ.get("PLATEN_PRINTER_PORT", "9100"))


def ask(path=""):
    with urllib.request.urlopen(URL + path, timeout=40) as answer:
        return json.load(answer)


def print_and_wait(zpl):
    before = ask()["lastSeq"]
    with socket.create_connection(("127.0.0.1", PORT)) as printer:
        printer.sendall(zpl.encode())
    return ask(f"/labels/next?after={before}&timeout=30")


def test_the_label_has_the_parcel_number():
    label = print_and_wait("^XA^FO50,50^BY3^BCN,100^FDPKG-0042^FS^XZ")
    barcodes = [element for element in label["label"]["elements"] if element["type"] == "barcode"]
    assert [barcode["data"] for barcode in barcodes] == ["PKG-0042"]
