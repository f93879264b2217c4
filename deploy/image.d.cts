/** What an image contains, as paths within the checkout. */
interface ImagePlan {
  /** Files of ours. */
  readonly files: readonly string[];
  /** Folders of packages. */
  readonly packages: readonly string[];
}

/** Modules of the commands that need the payment service's simulator, by command. */
export const LOCAL_COMMANDS: Readonly<Record<'start' | 'demo' | 'sandbox' | 'simulate', string>>;

/**
 * @param root the built checkout
 * @param kept commands of {@link LOCAL_COMMANDS} that the image contains; none by default
 * @throws RangeError for any other command, Error if the build or a package is missing
 */
export function planImage(root: string, kept?: readonly string[]): ImagePlan;

/** Writes the root file system of the image into a folder that is empty or does not exist. */
export function writeImage(root: string, into: string, kept?: readonly string[]): ImagePlan;
