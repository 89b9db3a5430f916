import type { ResultDetail } from '../../api/red-team.ts';

export const Defence = (_: { result: ResultDetail }) => null;
