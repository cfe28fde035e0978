import { auditPageLimit, pageLimit } from '#libs/contracts';
import { problemCodes, sentenceOf, statusOf } from '../problem/problem.js';

export const introduction = `Everything that the site, the customer area and the admin area do goes through this API.

## Authentication

Public content, the public forms and the links in mails need no sign-in; the description of each call says who may make it. For all other calls, \`POST /auth/login\` returns an \`accessToken\`: send it as \`Authorization: Bearer <token>\`. It is valid for ten minutes. \`POST /auth/refresh\`, sent with the refresh cookie, returns a new access token.

Browsers do not need to handle tokens: signing in sets cookies as well. A call with cookies that changes something must come from a page of this site; otherwise the answer is \`CROSS_SITE_REQUEST\`.

## Errors

Every error is \`application/problem+json\` (RFC 9457). If the body of a request does not arrive in time, the connection may be closed without an answer. Programs should rely on \`code\`. When fields have bad values, \`errors\` names them, at most 20. \`requestId\` identifies the request in the entries that the server logs about it.

${problemCodes.map((code) => `- \`${code}\` (${statusOf(code)}): ${sentenceOf(code)}`).join('\n')}

## Lists

Long lists come in pages of up to ${pageLimit} records. \`X-Total-Count\` has the number of records on all pages. To read on, follow the \`Link\` header with \`rel="next"\`: it holds a cursor, so reading on is equally fast at any depth. \`page\` and \`limit\` choose a page directly. The audit log has pages of up to ${auditPageLimit} entries, and neither \`X-Total-Count\` nor \`page\`.

## Repeated requests

Most calls that create something accept an \`Idempotency-Key\` of your choice. Send the same key again when you do not know whether a request arrived: it takes effect once, and you get the same answer for 24 hours.

## Versions

Most records have a \`version\`. Where a call accepts \`If-Match\`, send the version that you read, like \`If-Match: "3"\`, so that you never overwrite a change that you have not seen. If the record has changed, the answer is 412, and \`current\` has the record as it is now. Without \`If-Match\` the last update wins.

## Caching

Public content has an \`ETag\`. Send it as \`If-None-Match\`; the answer is 304 without a body while nothing has changed.

## Addresses

Paths match in any letter case, with and without a trailing slash. Some of them are also pages: send \`Accept: application/json\` to get JSON.
`;
