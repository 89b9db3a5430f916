-- Which server a scan of a live server was of, by its address or command: its newest scan is asked for before it is attached
-- to a gateway.
alter table scans add column server_key text;
create index scans_of_server on scans (tenant_id, server_key, scan_id desc) where server_key is not null;
