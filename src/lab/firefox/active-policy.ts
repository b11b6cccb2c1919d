/** The error of a measuring browser that is not alone in deciding its preferences. */
import { PlumbfoxError } from '../../core/errors.ts';

export const activePolicy = (): PlumbfoxError =>
  new PlumbfoxError('environment', 'An enterprise policy is active in the measuring Firefox: remove it, it would decide for every profile');
