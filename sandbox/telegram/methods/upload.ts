import { rpcError } from "../errors.ts";
import { fileByReference, fileBytes, savePart } from "../world/files.ts";
import { self, type Handlers } from "./context.ts";

const PRECISE_LIMIT = 1_048_576;

export const uploadMethods: Handlers = {
  "upload.saveFilePart": (context, { fileId, filePart, bytes }) => {
    savePart(context.world, self(context).user_id, fileId, filePart, bytes);
    return true;
  },
  "upload.saveBigFilePart": (context, { fileId, filePart, fileTotalParts, bytes }) => {
    if (fileTotalParts > 8000 || filePart >= Math.abs(fileTotalParts)) throw rpcError("FILE_PARTS_INVALID");
    savePart(context.world, self(context).user_id, fileId, filePart, bytes);
    return true;
  },
  "upload.getFile": (context, { location, offset, limit }) => {
    if (location._ !== "inputPhotoFileLocation" && location._ !== "inputDocumentFileLocation") {
      throw rpcError("LOCATION_INVALID");
    }
    const { world } = context;
    const file = fileByReference(world, self(context).user_id, location.id, location.accessHash);
    const bytes = file === undefined ? undefined : fileBytes(world, file.file_id);
    if (file === undefined || bytes === undefined) throw rpcError("LOCATION_INVALID");
    if (offset < 0 || limit <= 0 || limit > PRECISE_LIMIT) throw rpcError("LIMIT_INVALID");
    return {
      _: "upload.file",
      type: { _: file.kind === "photo" ? "storage.fileJpeg" : "storage.fileUnknown" },
      mtime: file.created_at,
      bytes: bytes.subarray(offset, offset + limit),
    };
  },
};
