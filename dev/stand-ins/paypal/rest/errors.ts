/** An entry of `details` in an error body. */
export interface ErrorDetail {
  issue: string;
  description?: string;
  /** The path of the field, such as `/amount/value`; in the webhooks API, only its name. */
  field?: string;
  value?: string;
  location?: 'body' | 'path' | 'query';
}

export interface Link {
  href: string;
  rel: string;
  method?: string;
}

const statusAndMessage = {
  INVALID_REQUEST: [400, 'Request is not well-formed, syntactically incorrect, or violates schema.'],
  AUTHENTICATION_FAILURE: [
    401,
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  ],
  NOT_AUTHORIZED: [403, 'Authorization failed due to insufficient permissions.'],
  RESOURCE_NOT_FOUND: [404, 'The specified resource does not exist.'],
  UNPROCESSABLE_ENTITY: [
    422,
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  RATE_LIMIT_REACHED: [429, 'Too many requests. Blocked due to rate limiting.'],
  INTERNAL_SERVER_ERROR: [500, 'An internal server error occurred.'],
  SERVICE_UNAVAILABLE: [503, 'Service Unavailable.'],
  // The errors of the webhooks API, which is older.
  VALIDATION_ERROR: [400, 'Invalid data provided'],
  INVALID_RESOURCE_ID: [404, 'The requested resource ID was not found'],
  WEBHOOK_URL_ALREADY_EXISTS: [400, 'Webhook URL already exists'],
  WEBHOOK_NUMBER_LIMIT_EXCEEDED: [400, 'Webhook number limit exceeded'],
} as const;

export class ApiError extends Error {
  readonly status: number;

  constructor(
    override readonly name: keyof typeof statusAndMessage,
    readonly details: ErrorDetail[] = [],
    readonly links: Link[] = [],
  ) {
    super(statusAndMessage[name][1]);
    this.status = statusAndMessage[name][0];
  }

  body(debugId: string): object {
    const { name, message, details, links } = this;
    return { name, message, debug_id: debugId, ...(details.length > 0 && { details }), links };
  }
}

export class OAuthError extends Error {
  constructor(
    readonly status: 400 | 401,
    readonly error: string,
    description: string,
  ) {
    super(description);
  }

  body(): object {
    return { error: this.error, error_description: this.message };
  }
}

const helpLink = (issue: string): Link => ({
  href: `https://developer.paypal.com/docs/api/orders/v2/#error-${issue}`,
  rel: 'information_link',
  method: 'GET',
});

export const unprocessable = (issue: string, description: string, field?: string, ...links: Link[]) =>
  new ApiError(
    'UNPROCESSABLE_ENTITY',
    [{ issue, description, ...(field !== undefined && { field, location: 'body' as const }) }],
    links.length > 0 ? links : [helpLink(issue)],
  );

/** 400 with one issue about one field of the body. */
export const invalid = (issue: string, description: string, field: string, value?: string) =>
  new ApiError(
    'INVALID_REQUEST',
    [{ issue, description, field, location: 'body', ...(value !== undefined && { value }) }],
    [helpLink(issue)],
  );

/** 404: the resource does not exist, or it belongs to another merchant. */
export const notFound = (
  description = 'Specified resource ID does not exist. Please check the resource ID and try again.',
) =>
  new ApiError(
    'RESOURCE_NOT_FOUND',
    [{ issue: 'INVALID_RESOURCE_ID', description }],
    [helpLink('INVALID_RESOURCE_ID')],
  );

export const forbidden = () =>
  new ApiError(
    'NOT_AUTHORIZED',
    [
      {
        issue: 'PERMISSION_DENIED',
        description: 'You do not have permission to access or perform operations on this resource.',
      },
    ],
    [helpLink('PERMISSION_DENIED')],
  );
