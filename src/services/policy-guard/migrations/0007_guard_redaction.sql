-- What the guard takes out of the texts that it is asked about: {kinds?, style}; null: nothing.
alter table guards add column redact json;
