export { type Halt, haltSending, liftHalt, readHalt } from './halt';
export { acceptMoved, acceptRestored, isRestoreNoticed, noticeRestore } from './restored';
