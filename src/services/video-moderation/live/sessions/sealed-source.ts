import type { SealedColumn } from '#base/secrets/sealed-column.ts';

/** The address of a stream's source is sealed, since it may hold credentials. */
export const placeOf = (streamId: string) => `video stream ${streamId}`;

export const sealedSources: SealedColumn = {
  table: 'video_moderation.streams',
  column: 'source',
  keys: ['stream_id'],
  place: placeOf,
};
