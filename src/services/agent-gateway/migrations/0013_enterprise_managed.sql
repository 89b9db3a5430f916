-- Encrypted JSON: the identity provider that vouches for callers at the server's authorization server.
alter table mcp_servers add column identity_provider bytea;
