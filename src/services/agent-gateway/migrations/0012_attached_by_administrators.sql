-- Whether an administrator attached the server, who may do so with servers that their owners do not share. Others use a
-- server at their gateways only as long as it is shared. Who attached the earlier ones is not known.
alter table attachments add column by_administrator boolean not null default false;
