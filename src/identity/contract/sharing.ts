/** What all resources that can be shared have on the wire. */
import { z } from 'zod';

/** Who of a tenant may read and use a resource: its owner and the administrators, or everybody. */
export const visibilities = ['private', 'tenant'] as const;

/** In requests and responses. */
export const visibilityField = () =>
  z.enum(visibilities).meta({
    description:
      '`private`: for its owner and the administrators of the tenant; `tenant`: everybody of the tenant may read and ' +
      'use it too. Only the owner and administrators change it, either way.',
  });

/** Of a list: the caller's own resources, or all that the caller may read. */
export const ownerFilter = (preset: 'me' | 'all') =>
  z.enum(['me', 'all']).default(preset).meta({
    description:
      '`me`: what the caller owns; `all`: everything that the caller may read, for an administrator all of the tenant.',
  });

/** The name of the user in the id field beside it; a deleted user keeps it. */
export const userName = () =>
  z.string().nullable().meta({ description: 'The user’s name, kept when the user is deleted.' });
