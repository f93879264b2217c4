export { type Halt, haltSending, liftHalt, readHalt } from './halt';
export { acceptRestored, isRestoreNoticed, noticeRestore } from './restored';
