import type { Row } from '../row';
import { actions } from './actions';
import { bytes } from './bytes';
import { page } from './console';
import { create } from './create';
import { cycle } from './cycle';
import { dates } from './dates';
import { drain } from './drain';
import { growth } from './growth';
import { history } from './history';
import { imports } from './import';
import { list } from './list';
import { loop } from './loop';
import { steer } from './steer';
import { storm } from './storm';
import { wake } from './wake';

/** By the names that the command takes. */
export const ROWS: Readonly<Record<string, Row>> = {
  history,
  dates,
  bytes,
  actions,
  cycle,
  wake,
  create,
  storm,
  drain,
  growth,
  steer,
  loop,
  import: imports,
  // The last two share a ledger, and the servers that hold it.
  list,
  console: page,
};
