import type { Fault } from './fault';
import { ledgerReadOnly, restored, serviceGone, temporalGone } from './servers';
import { firstOfTheMonth, slowConnecting, wrongAddress, wrongNamespace } from './settings';

/** All faults, in the order in which they are caused. */
export const FAULTS: readonly Fault[] = [
  temporalGone,
  ledgerReadOnly,
  serviceGone,
  restored,
  wrongNamespace,
  wrongAddress,
  slowConnecting,
  firstOfTheMonth,
];
