import { describe, expect, it } from 'vitest';
import { readJsonObject, removeMember, setMember } from '../../../../src/core/profiles/json-text.ts';

const FILE = `{
  "policies": {
    "Preferences": {
      "browser.a": { "Value": 1.0, "Status": "locked" }
    },
    "Other": [1, {"x": "}"}]
  }
}
`;

describe('a text is refused', () => {
  it.each([
    ['with a byte order mark', `\uFEFF${FILE}`, /byte order mark/],
    ['that is empty', ' \n', /empty/],
    ['that is no object', '[{}]', /not an object/],
    ['that is null', 'null', /not an object/],
    ['with something behind it', `${FILE}x`, /not valid JSON/],
    ['with a comment', `// mine\n${FILE}`, /not valid JSON/],
    ['with a name twice', '{"a": 1, "b": {"c": 1, "c": 1}}', /"c" twice/],
    ['with a name twice, written in two ways', '{"caf\\u00e9": 1, "café": 2}', /"café" twice/],
    ['with a name twice inside a list', '{"a": [[{"b": 1}], {"b": 1, "b": 2}]}', /"b" twice/],
    ['that is nested too deep', `{"a": ${'['.repeat(70)}${']'.repeat(70)}}`, /nested/],
  ])('%s', (_, text, says) => {
    expect(() => readJsonObject(text)).toThrow(says);
  });

  it('cut off anywhere', () => {
    for (let at = 0; at < FILE.trimEnd().length; at += 1) expect(() => readJsonObject(FILE.slice(0, at)), `at ${at}`).toThrow();
    expect(readJsonObject(FILE.trimEnd())).toHaveProperty('policies');
  });
});

describe('a member', () => {
  it('is put behind the others as they are written, and nothing else changes', () => {
    expect(setMember(FILE, ['policies', 'Preferences', 'network.b'], { Value: 2 })).toBe(`{
  "policies": {
    "Preferences": {
      "browser.a": { "Value": 1.0, "Status": "locked" },
      "network.b": {
        "Value": 2
      }
    },
    "Other": [1, {"x": "}"}]
  }
}
`);
    expect(setMember('{"a":1, "b":2}', ['c'], { d: [1] })).toBe('{"a":1, "b":2, "c": {"d":[1]}}');
    expect(setMember('{}', ['a', 'b'], 1)).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
    expect(setMember('{"a": {"b": 1}}', ['a', 'b'], 2)).toBe('{"a": {"b": 2}}');
  });

  it('is taken out with the objects that are empty then, but for the outermost two', () => {
    const set = setMember(FILE, ['policies', '3rdparty', 'Extensions', 'x@y'], { a: 1 });
    expect(removeMember(set, ['policies', '3rdparty', 'Extensions', 'x@y'])).toBe(FILE);
    expect(removeMember('{"a": {"b": {"c": 1}}}', ['a', 'b', 'c'])).toBe('{"a": {}}');
    expect(removeMember('{"a": 1, "b": 2}', ['a'])).toBe('{"b": 2}');
    expect(removeMember('{"a": 1, "b": 2}', ['b'])).toBe('{"a": 1}');
    expect(removeMember('{"a": 1}', ['b'])).toBe('{"a": 1}');
    expect(removeMember('{"a": 1}', ['a', 'b'])).toBe('{"a": 1}');
  });
});
