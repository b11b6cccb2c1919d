/**
 * One definition for each shape that is stored, sent or read from a file: a valibot schema, and the type inferred from it. What a member
 * means is stated at the schema's member, where editors and the compiler's declarations find it.
 */
import * as v from 'valibot';
import type { Bytes, Milliseconds, Ratio } from './units.ts';

type Primitive = string | number | boolean | null | undefined;
type DeepReadonly<T> = T extends Primitive ? T : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** The type of what a schema lets through, read-only throughout. */
export type Shape<Schema extends v.GenericSchema> = DeepReadonly<v.InferOutput<Schema>>;

/** Every number of JSON, and neither NaN nor an infinity. */
export const finite = v.pipe(v.number(), v.finite());
/** 0, 1, 2, ... */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** 0 or more, whole or not. */
export const notNegative = v.pipe(v.number(), v.finite(), v.minValue(0));

/** Units are only for the compiler: at run time each is the number it was. */
export const millisecondsSchema: v.GenericSchema<unknown, Milliseconds> = v.pipe(v.number(), v.finite(), v.brand('ms'));
export const bytesSchema: v.GenericSchema<unknown, Bytes> = v.pipe(v.number(), v.finite(), v.minValue(0), v.brand('byte'));
export const ratioSchema: v.GenericSchema<unknown, Ratio> = v.pipe(v.number(), v.finite(), v.brand('ratio'));
