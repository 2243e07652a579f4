"""Frappe and ERPNext: a label as a picture in a form, and as a PDF to download.

Put it into an app as label_preview.py. Labelary's address becomes the setting "label_host" of site_config.json:

    bench --site SITE set-config label_host http://127.0.0.1:8080

The two methods at the end are called by forms: frappe.call("APP.label_preview.preview", { zpl }). What is above them
needs nothing of Frappe.
"""

import base64
import urllib.error
import urllib.request

DEFAULT_HOST = "http://127.0.0.1:8080"  # was: http://api.labelary.com
SECONDS = 15


def ask(host, path, zpl, accept):
    """The bytes of the answer, and Labelary's header X-Total-Count: how many labels there are."""
    request = urllib.request.Request(
        f"{host.rstrip('/')}/v1/printers/{path}", data=zpl.encode("utf-8"), headers={"Accept": accept, "Content-Type": "application/x-www-form-urlencoded"}
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return answer.read(), int(answer.headers.get("X-Total-Count", "1"))
    except urllib.error.HTTPError as error:
        raise ValueError(error.read().decode("utf-8", "replace")) from error


def data_url(host, zpl, index=0, dpmm=8, width=4, height=6):
    """A label as an address that an <img> of the form shows."""
    png, count = ask(host, f"{dpmm}dpmm/labels/{width}x{height}/{index}/", zpl, "image/png")
    return {"image": "data:image/png;base64," + base64.b64encode(png).decode("ascii"), "labels": count}


def pdf(host, zpl, dpmm=8, width=4, height=6):
    return ask(host, f"{dpmm}dpmm/labels/{width}x{height}/", zpl, "application/pdf")[0]


try:
    import frappe
except ImportError:  # outside of Frappe: the functions above are all there is
    frappe = None

if frappe:

    @frappe.whitelist()
    def preview(zpl, index=0):
        return data_url(frappe.conf.get("label_host") or DEFAULT_HOST, zpl, int(index))

    @frappe.whitelist()
    def download(zpl):
        frappe.local.response.filename = "labels.pdf"
        frappe.local.response.filecontent = pdf(frappe.conf.get("label_host") or DEFAULT_HOST, zpl)
        frappe.local.response.type = "download"
