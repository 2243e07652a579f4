"""Odoo: the ZPL of a delivery as PDF or PNG, in the chatter of its picking.

A carrier module that asks Labelary needs one change: the address. Here it is the system parameter "label.host", so that
it can be set under Settings, Technical, System Parameters, to http://127.0.0.1:8080 or wherever Platen serves.

The model is at the end. What is above it needs nothing of Odoo.
"""

import urllib.error
import urllib.request

DEFAULT_HOST = "http://127.0.0.1:8080"  # was: http://api.labelary.com
SECONDS = 15


class LabelError(Exception):
    """The service refused the label, or it did not answer."""


def draw(host, zpl, dpmm=8, size="4x6", accept="application/pdf"):
    """All labels of the code as one PDF, or the first one as PNG. The route, the headers and the answers are Labelary's."""
    index = "" if accept == "application/pdf" else "0/"
    request = urllib.request.Request(
        f"{host.rstrip('/')}/v1/printers/{dpmm}dpmm/labels/{size}/{index}",
        data=zpl.encode("utf-8"),
        headers={"Accept": accept, "Content-Type": "application/x-www-form-urlencoded"},
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        raise LabelError(error.read().decode("utf-8", "replace")) from error
    except OSError as error:
        raise LabelError(f"{host} does not answer: {error}") from error


try:
    from odoo import models
    from odoo.exceptions import UserError
except ImportError:  # outside of Odoo: the function above is all there is
    models = None

if models:

    class StockPicking(models.Model):
        _inherit = "stock.picking"

        def action_preview_labels(self):
            """Each ZPL attachment of the picking gets a PDF beside it."""
            host = self.env["ir.config_parameter"].sudo().get_param("label.host", DEFAULT_HOST)
            for picking in self:
                attachments = self.env["ir.attachment"].search(
                    [("res_model", "=", picking._name), ("res_id", "=", picking.id), ("name", "=ilike", "%.zpl")]
                )
                try:
                    files = [(f"{each.name}.pdf", draw(host, each.raw.decode("utf-8"))) for each in attachments]
                except LabelError as error:
                    raise UserError(str(error)) from error
                if files:
                    picking.message_post(body="Labels", attachments=files)
