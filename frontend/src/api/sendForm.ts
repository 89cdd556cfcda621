/** Sends a form as fetch does, and reports the share of it that was sent, which fetch cannot. */
export function sendForm(
  path: string,
  form: FormData,
  { method, headers, signal, onProgress }: { method: string; headers: Headers; signal: AbortSignal | null; onProgress: (share: number) => void },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest();
    sender.open(method, path);
    for (const [name, value] of headers) sender.setRequestHeader(name, value);
    sender.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    sender.upload.onload = () => onProgress(1);
    sender.onload = () => {
      const retryAfter = sender.getResponseHeader("Retry-After");
      resolve(new Response(sender.status === 204 ? null : sender.responseText, { status: sender.status, headers: retryAfter ? { "Retry-After": retryAfter } : {} }));
    };
    sender.onerror = () => reject(new TypeError("The request failed."));
    sender.onabort = () => reject(new DOMException("The request was aborted.", "AbortError"));
    if (signal?.aborted) return sender.onabort(new ProgressEvent("abort"));
    signal?.addEventListener("abort", () => sender.abort(), { once: true });
    sender.send(form);
  });
}
