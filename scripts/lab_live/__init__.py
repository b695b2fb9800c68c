"""The lab on real sockets: a real server and real sessions in namespaces, joined by links of our own."""
