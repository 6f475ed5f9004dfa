/** The messages for managed fields that cannot be read. */

export function badElement(reason: string): string {
  return `parsing key as path element: ${reason}`;
}

export function tooShort(): string {
  return "key must be 2 characters long:";
}

export function missingColon(key: string): string {
  return `missing colon: ${key}`;
}

export function notAnObject(): string {
  return "expect { or n";
}

export function badJson(text: string): string {
  return `invalid JSON in path element: ${text}`;
}
