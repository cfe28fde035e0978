/** Whether a path segment can be a record's id (a UUID, which is what `_id` is). */
export function isRecordId(segment: string | undefined): segment is string {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(segment ?? '');
}
