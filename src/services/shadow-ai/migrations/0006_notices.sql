-- What a tenant is told of by mail and webhook.
create table notice_settings (
  tenant_id uuid primary key,
  new_tools boolean not null,
  -- Detections of at least this severity; null for none.
  min_severity text,
  mail_to text[] not null,
  -- A destination of events.webhook_destinations.
  webhook_id uuid,
  webhook_url text,
  -- What was detected before is not told.
  since timestamptz not null
);

-- What has been told, so that it is told once: `tool:<rule>` or `detection:<id>`.
create table told (
  tenant_id uuid not null,
  key text not null,
  at timestamptz not null,
  primary key (tenant_id, key)
);
create index told_by_age on told (at);
create index detections_by_creation on detections (tenant_id, created_at);
