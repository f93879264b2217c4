/** The admin API: called by merchants' systems and operators. */
export { createAdmin } from './app';
export type { AdminDeps, Policy, Probe, ReadMetrics } from './dependencies';
export { countedMetrics, createObserver } from './operations/observer';
