import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { Empty } from '../parts/states.tsx';

export const NotFound = () => (
  <>
    <title>There is no such page · Bulwark</title>
    <Empty
      icon={Compass}
      heading="h1"
      title="There is no such page"
      action={
        <Link to="/" className="text-accent underline">
          Home
        </Link>
      }
    >
      The address may be mistyped, or what it showed is gone.
    </Empty>
  </>
);
