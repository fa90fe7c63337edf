// The grammar of names that rulesheets choose.

/** Names of roles that look like one and are many. */
const MANY = ["sheep", "people", "mice", "geese"];

/** The verb for a role: noughts win, white wins. */
export function verb(role: string, one: string, many: string): string {
  return /[^s]s$/.test(role) || MANY.includes(role) ? many : one;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
