-- Arguments that hold secrets, encrypted as a whole; `args` has them with the secrets masked. Null where there are none,
-- and for servers that were stored before and not saved since.
alter table mcp_servers add column sealed_args bytea;
