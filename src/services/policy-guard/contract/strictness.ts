import { z } from 'zod';
import { unitInterval } from '#base/contract/fields.ts';

export const Strictness = z.enum(['low', 'medium', 'high']).meta({
  id: 'Strictness',
  description:
    'Moves the operating point: `high` flags more, `low` less, `medium` leaves probabilities as they are.',
});

export const threshold = () =>
  unitInterval().meta({ description: 'A policy is violated when its probability is at or above this.' });
