/** The admin API: what merchants' systems and staff call. */
export { createAdmin } from './app';
export type { AdminDeps, Policy, Probe, ReadMetrics } from './dependencies';
export { countedMetrics, createObserver } from './operations/observer';
