-- Told to servers that want to know who calls; set by administrators and by the issuer alone.
alter table users add column email text;
-- The last new password or disabling: what the user had signed in to before is over.
alter table users add column signed_out_at timestamptz;
