import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '../parts/states.tsx';

export const RouteFailure = ({ error, reset }: ErrorComponentProps) => (
  <Failure error={error} retry={reset} />
);
