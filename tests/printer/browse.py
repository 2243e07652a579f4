# Browses for printers on 127.0.0.1 by python-zeroconf and prints a line for each that comes and goes, until it is ended.
import json
import time

from zeroconf import ServiceBrowser, Zeroconf


class Listener:
    def add_service(self, zeroconf, kind, name):
        info = zeroconf.get_service_info(kind, name, 5000)
        say(event="add", name=name, addresses=info.parsed_addresses(), port=info.port, text={k.decode(): v.decode() for k, v in info.properties.items()})

    def remove_service(self, zeroconf, kind, name):
        say(event="remove", name=name)

    def update_service(self, zeroconf, kind, name):
        pass


def say(**what):
    print(json.dumps(what), flush=True)


browser = ServiceBrowser(Zeroconf(interfaces=["127.0.0.1"]), ["_pdl-datastream._tcp.local.", "_printer._tcp.local."], Listener())
time.sleep(60)
