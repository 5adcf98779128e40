// Command generate writes SDKs and programs with Pulumi's own generators, where no language host is to be had that does.
//
//	generate sdk SCHEMA LANGUAGE FOLDER       what `pulumi package gen-sdk` writes
//	generate program SCHEMA LANGUAGE PROJECT  prints what `pulumi convert --from yaml` writes
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type files = map[string][]byte

type language struct {
	sdk     func(*schema.Package, schema.ReferenceLoader) (files, error)
	program func(*pcl.Program) (files, hcl.Diagnostics, error)
}

// They write who has generated their files.
const tool = "pulumi-language-%s"

var languages = map[string]language{
	"nodejs": {
		sdk: func(pkg *schema.Package, loader schema.ReferenceLoader) (files, error) {
			return nodejs.GeneratePackage(fmt.Sprintf(tool, "nodejs"), pkg, nil, nil, false, loader)
		},
		program: nodejs.GenerateProgram,
	},
	"python": {
		sdk: func(pkg *schema.Package, loader schema.ReferenceLoader) (files, error) {
			return python.GeneratePackage(fmt.Sprintf(tool, "python"), pkg, nil, loader)
		},
		program: python.GenerateProgram,
	},
	"go": {
		sdk: func(pkg *schema.Package, _ schema.ReferenceLoader) (files, error) {
			return golang.GeneratePackage(fmt.Sprintf(tool, "go"), pkg, nil)
		},
		program: golang.GenerateProgram,
	},
}

func main() {
	if len(os.Args) != 5 {
		fail(fmt.Errorf("usage: generate sdk|program SCHEMA LANGUAGE FOLDER"))
	}
	what, named, place := os.Args[1], os.Args[3], os.Args[4]
	chosen, known := languages[named]
	if !known {
		fail(fmt.Errorf("%s has no generator here; there are go, nodejs, python", named))
	}
	pkg := packageOf(os.Args[2])
	if what == "program" {
		_, program, err := yaml.Eject(place, alone{pkg: pkg})
		fail(err)
		made, problems, err := chosen.program(program)
		fail(err)
		warn(problems)
		show(made)
		return
	}
	made, err := chosen.sdk(pkg, alone{pkg: pkg})
	fail(err)
	for name, text := range made {
		path := filepath.Join(place, name)
		fail(os.MkdirAll(filepath.Dir(path), 0o755))
		fail(os.WriteFile(path, text, 0o644))
	}
}

// A warning about the schema is an error: it is of our making.
func packageOf(file string) *schema.Package {
	text, err := os.ReadFile(file)
	fail(err)
	var spec schema.PackageSpec
	fail(json.Unmarshal(text, &spec))
	pkg, problems, err := schema.BindSpec(spec, alone{}, schema.ValidationOptions{})
	fail(err)
	warn(problems)
	return pkg
}

func warn(problems hcl.Diagnostics) {
	if len(problems) > 0 {
		fail(problems)
	}
}

func show(made files) {
	names := make([]string, 0, len(made))
	for name := range made {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		os.Stdout.Write(made[name])
	}
}

// The one package that programs use, and schemas refer to.
type alone struct{ pkg *schema.Package }

func (one alone) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if one.pkg == nil || name != one.pkg.Name {
		return nil, fmt.Errorf("there is no package %s here", name)
	}
	return one.pkg, nil
}

func (one alone) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return one.LoadPackage(descriptor.Name, nil)
}

func (one alone) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	pkg, err := one.LoadPackage(name, nil)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (one alone) LoadPackageReferenceV2(_ context.Context, descriptor *schema.PackageDescriptor) (schema.PackageReference, error) {
	return one.LoadPackageReference(descriptor.Name, nil)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
