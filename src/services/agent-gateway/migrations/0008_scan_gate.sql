-- Whether a server is scanned before it is attached, and from which severity on it is refused.
alter table gateways add column scan_gate json not null default '{"mode": "off", "level": "high"}';
