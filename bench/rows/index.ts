import type { Row } from '../row';
import { actions } from './actions';
import { bloat } from './bloat';
import { bytes } from './bytes';
import { page } from './console';
import { counts } from './counts';
import { cpu } from './cpu';
import { create } from './create';
import { cycle } from './cycle';
import { dates } from './dates';
import { drain } from './drain';
import { growth } from './growth';
import { history } from './history';
import { imports } from './import';
import { list } from './list';
import { loop } from './loop';
import { slowBank } from './slow-bank';
import { steer } from './steer';
import { storm } from './storm';
import { storm500 } from './storm-500';
import { wake } from './wake';
import { workers } from './workers';

/** The rows by their names on the command line, in the order in which they run. */
export const ROWS: Readonly<Record<string, Row>> = {
  counts,
  history,
  dates,
  bytes,
  actions,
  cycle,
  cpu,
  wake,
  create,
  storm,
  'storm-500': storm500,
  'slow-bank': slowBank,
  workers,
  drain,
  growth,
  bloat,
  steer,
  loop,
  import: imports,
  // The last two share a filled ledger and its servers.
  list,
  console: page,
};
