import { Link, useRouterState } from '@tanstack/react-router';
import { cn } from '../parts/cn.ts';
import { placeOf } from './places.ts';
import { usePlaces } from './use-places.ts';

/** The areas; the one that the page belongs to shows its pages. */
export function Navigation() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const current = placeOf(path);
  return (
    <nav aria-label="Main" className="-mx-1 mt-5 flex-1 overflow-y-auto px-1">
      <ul className="grid gap-0.5">
        {usePlaces().map(({ name, icon: Icon, places }) => {
          const [first] = places;
          if (first === undefined) return null;
          const isOpen = places.some(({ to }) => to === current?.to);
          const hasMore = places.length > 1;
          return (
            <li key={name}>
              <Link
                to={first.to}
                activeOptions={{ exact: true }}
                aria-current={isOpen && !hasMore ? 'page' : undefined}
                className={cn(
                  'flex items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm hover:bg-raised hover:text-ink',
                  isOpen ? 'font-medium text-ink' : 'text-ink-soft',
                  isOpen && !hasMore && 'bg-accent-soft text-accent',
                )}
              >
                <Icon className="size-4.5" aria-hidden />
                {name}
              </Link>
              {isOpen && hasMore && (
                <ul aria-label={name} className="mt-0.5 mb-2 ml-4.5 grid gap-0.5 border-l border-line pl-2.5">
                  {places.map((place) => (
                    <li key={place.to}>
                      <Link
                        to={place.to}
                        aria-current={place.to === current?.to ? 'page' : undefined}
                        className={cn(
                          'block rounded-lg px-2.5 py-1.5 text-sm text-ink-soft hover:bg-raised hover:text-ink',
                          place.to === current?.to &&
                            'bg-accent-soft font-medium text-accent hover:bg-accent-soft hover:text-accent',
                        )}
                      >
                        {place.name}
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
