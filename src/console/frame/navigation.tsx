import type { VNode } from 'preact';
import { count } from '../format';
import { may } from '../session';
import { useAnswer } from '../views/common/answers';
import { useToday } from '../views/common/answers';
import { GROUPS, isAt, type View } from './views';

/** The views in groups, some with the number of records that need work. */
export function Navigation({ path }: { readonly path: string }): VNode {
  const waiting = useWaiting();
  return (
    <nav class="views" aria-label="Views">
      {GROUPS.map(({ name, views }) => {
        const shown = views.filter(({ reads }) => may(reads));
        if (shown.length === 0) return null;
        return (
          <section key={name} aria-label={name}>
            <h2 class="views-group">{name}</h2>
            <ul>
              {shown.map((view) => (
                <li key={view.href}>
                  <Item of={view} isCurrent={isAt(path, view.href)} waiting={waiting[view.href] ?? 0} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

interface ItemProps {
  readonly of: View;
  readonly isCurrent: boolean;
  readonly waiting: number;
}

function Item({ of: { href, name, icon: Icon }, isCurrent, waiting }: ItemProps): VNode {
  return (
    <a href={href} aria-current={isCurrent ? 'page' : undefined}>
      <Icon aria-hidden="true" size={16} />
      <span>{name}</span>
      {waiting === 0 ? null : <b class="count">{count(waiting)}</b>}
    </a>
  );
}

/** How many records need work, by the address of their view. */
function useWaiting(): Readonly<Record<string, number>> {
  const today = useToday();
  const enabled = may('listApprovals');
  const query = { state: 'pending', limit: 200 } as const;
  const approvals = useAnswer(['approvals'], '/v1/approvals', { query }, { enabled });
  return {
    '/attention': today.data?.needsAttention.count ?? 0,
    '/approvals': approvals.data?.items.length ?? 0,
  };
}
