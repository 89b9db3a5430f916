-- What a detection has of events that retention has deleted: those before gone_before. Late events only add to it.
alter table detections
  add column gone_before timestamptz,
  add column gone_process_count integer not null default 0,
  add column gone_network_count integer not null default 0,
  add column gone_file_count integer not null default 0;
