// Swagger UI on this site's OpenAPI document. With a browser session, requests carry its CSRF token.
"use strict";
const place = document.getElementById("swagger");
const token = document.querySelector("input[name=csrfmiddlewaretoken]");
SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor(request) {
    if (token) request.headers["X-CSRFToken"] = token.value;
    return request;
  },
});
