import { useState } from "react";
import { brokenPicture, fileProblem } from "../../machines/composer/composer.attaching.ts";
import { announced } from "../../ui/form.tsx";
import { FileInput, type FileInputProps } from "../../ui/FileInput.tsx";

/** A field for a picture or video; validates the file when it is chosen. */
export function MediaField({ file, errorMessage, ...props }: FileInputProps) {
  const [broken, setBroken] = useState<File | null>(null);
  const isBroken = file !== null && file === broken;
  const problem = errorMessage ?? announced(fileProblem(file) ?? (isBroken ? brokenPicture(file.name) : undefined));
  return (
    <FileInput
      accept="image/*,video/*"
      {...props}
      file={file}
      errorMessage={problem}
      onBroken={setBroken}
      // Allows choosing a file again after it was changed.
      onClick={({ currentTarget }) => {
        if (problem !== undefined) currentTarget.value = "";
      }}
    />
  );
}
