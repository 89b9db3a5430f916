-- What happens to tools whose descriptions speak to the model, and to secrets and personal data in results.
alter table gateways add column description_guard text not null default 'warn';
alter table gateways add column result_redaction text not null default 'off';

-- How many values of each kind were taken out of the result; null where nothing was.
alter table calls add column redactions json;

-- Definitions that speak to the model, as they were read; one row for each wording of a definition.
create table description_findings (
  gateway_id text not null,
  server_id text not null,
  kind text not null,
  name text not null,
  hash text not null,
  definition json not null,
  issues json not null,
  found_at timestamptz not null,
  approved_by uuid,
  approved_at timestamptz,
  primary key (gateway_id, server_id, kind, name, hash),
  foreign key (gateway_id, server_id) references attachments on delete cascade
);
