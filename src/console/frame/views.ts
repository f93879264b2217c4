import {
  ArrowLeftRight,
  CalendarCheck,
  ChartColumn,
  CreditCard,
  Hand,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Mail,
  Repeat,
  RotateCcw,
  ScrollText,
  Stamp,
  TriangleAlert,
  Webhook,
} from 'lucide-preact';
import type { OperationId } from '../../client/operations';

export interface View {
  readonly href: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** The API operation that the view needs. */
  readonly reads: OperationId;
}

interface Group {
  readonly name: string;
  readonly views: readonly View[];
}

/** The navigation: daily work, reports about money, and setup with approvals and the audit log. */
export const GROUPS: readonly Group[] = [
  {
    name: 'Work',
    views: [
      { href: '/', name: 'Today', icon: CalendarCheck, reads: 'getSession' },
      { href: '/attention', name: 'Needs attention', icon: TriangleAlert, reads: 'listAttention' },
      { href: '/subscriptions', name: 'Subscriptions', icon: Repeat, reads: 'listSubscriptions' },
      { href: '/payments', name: 'Payments', icon: CreditCard, reads: 'listPayments' },
      { href: '/holds', name: 'Holds', icon: Hand, reads: 'listHolds' },
      { href: '/jobs', name: 'Jobs', icon: ListChecks, reads: 'listJobs' },
    ],
  },
  {
    name: 'Money',
    views: [
      { href: '/money', name: 'Transactions', icon: ArrowLeftRight, reads: 'listTransactions' },
      { href: '/recovery', name: 'Recovery', icon: RotateCcw, reads: 'reportRecovery' },
      { href: '/forecast', name: 'Forecast', icon: ChartColumn, reads: 'reportForecast' },
    ],
  },
  {
    name: 'Setup',
    views: [
      { href: '/events', name: 'Webhooks', icon: Webhook, reads: 'listWebhookEndpoints' },
      { href: '/notices', name: 'Notices', icon: Mail, reads: 'listNotices' },
      { href: '/keys', name: 'Keys', icon: KeyRound, reads: 'listKeys' },
      { href: '/approvals', name: 'Approvals', icon: Stamp, reads: 'listApprovals' },
      { href: '/audit', name: 'Audit log', icon: ScrollText, reads: 'listAudit' },
    ],
  },
];

export const VIEWS: readonly View[] = GROUPS.flatMap(({ views }) => views);

export function isAt(path: string, href: string): boolean {
  return path === href || (href !== '/' && path.startsWith(`${href}/`));
}

/** The title of the page; for a single record, with its id first. */
export function titleOf(path: string): string {
  const view = VIEWS.find(({ href }) => isAt(path, href));
  if (view === undefined) return 'No such page · dueday';
  const id = path.slice(view.href.length + 1);
  return `${id === '' ? '' : `${id} · `}${view.name} · dueday`;
}
