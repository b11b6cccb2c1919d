/**
 * One definition for each shape that is stored, sent or read from a file: a valibot schema, and the type inferred from it. What a member
 * means stands at the schema's member, where editors and the compiler's declarations find it.
 */
import * as v from 'valibot';

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
